"""Times of runs: by cost models, of lockstep or of your own, and by clocks."""


class Timeline:
    """The times of a run by a clock model: each processor goes on as soon as it can."""

    def __init__(self, entry):
        self.model = entry["model"]
        self.unit = entry["unit"]
        self.makespan = entry["makespan"]  #: until the last processor is done
        self.utilisation = entry["utilisation"]  #: the share of the time in which processors are busy
        #: A dict for each processor: overhead, work, waiting, held, barrier, idled, tail, which add up to the makespan.
        self.processors = entry["processors"]
        #: A dict for each stretch of the chain that the makespan follows from: rank, what, begin, end, other, file, line.
        self.critical_path = entry["critical_path"]
        self._text = entry["text"]

    def table(self):
        """Give the critical path as rows of text."""
        return self._text

    def __repr__(self):
        return f"<timeline by {self.model}: {self.makespan:g} {self.unit}, {self.utilisation:.0%} busy>"


def time(run, model, **parameters):
    """Price the run by a cost model: `run.time("paragon")`, with its parameters by name.

    A model of your own is a function of counts and the number of processors:
    `run.time(lambda counts, p: 100 * counts.startups + counts.words)`.
    """
    if callable(model):
        return model(run.counts, run.size, **parameters)
    return run._time(model, **parameters)


def timeline(run, model, *, sharing=False, in_port=True, **parameters):
    """Give the times of the run by a clock of `clocks()`, with its parameters by name; its machine has `clocked=True`.

    `sharing`: messages that share a link take turns. `in_port=False`: messages may come in at the same time.
    Raises InvalidArgument for another machine, and where not all was kept.
    """
    return Timeline(run._timeline(model, sharing=sharing, in_port=in_port, **parameters))
