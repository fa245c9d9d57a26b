"""Messages with a tag: `with me.tagged(3):`, or `async with`."""


class Tagged:
    """What `me.tagged(number)` gives: in the block, messages that the processor sends and receives have that tag."""

    def __init__(self, me, number):
        self._me = me
        self._number = number
        self._before = []

    def __enter__(self):
        before = self._me._begin_tag(self._number)
        if not isinstance(before, int):
            raise TypeError("in async def write async with me.tagged(number)")
        self._before.append(before)

    def __exit__(self, kind, raised, traceback):
        self._me._end_tag(self._before.pop())

    async def __aenter__(self):
        self._before.append(await self._me._begin_tag(self._number))

    async def __aexit__(self, kind, raised, traceback):
        ended = self._me._end_tag(self._before.pop())
        if ended is not None:  # the run goes on
            await ended
