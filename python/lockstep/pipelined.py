"""Rounds that pay one start-up together: `with me.pipelined():`, or `async with`."""


class Pipelined:
    """What `me.pipelined()` gives. All members of the machine or subset enter it; it does not nest."""

    def __init__(self, me):
        self._me = me

    @classmethod
    def of(cls, me):
        """Run the rounds in the block with one start-up: `with me.pipelined():`."""
        return cls(me)

    def __enter__(self):
        begun = self._me._begin_rounds()
        if begun is not None:
            raise TypeError("in async def write async with me.pipelined()")

    def __exit__(self, kind, raised, traceback):
        self._me._end_rounds(raised)

    async def __aenter__(self):
        await self._me._begin_rounds()

    async def __aexit__(self, kind, raised, traceback):
        await self._me._end_rounds(raised)
