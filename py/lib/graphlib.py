"""graphlib: an order of the nodes of a graph in which each comes after what it depends on."""


class CycleError(ValueError):
    """The graph has a cycle, so there is no such order; args[1] is the cycle."""


class _Node:
    def __init__(self, value):
        self.value = value
        self.waiting = 0  # predecessors that are not done; -1 once handed out, -2 when done
        self.successors = []


_given_out = -1
_finished = -2


class TopologicalSorter:
    """Sorts the nodes of a graph of {node: what it depends on}."""

    def __init__(self, graph=None):
        self._nodes = {}
        self._ready = None
        self._out = 0
        self._finished = 0
        if graph is not None:
            for node, predecessors in graph.items():
                self.add(node, *predecessors)

    def _node(self, value):
        node = self._nodes.get(value)
        if node is None:
            node = self._nodes[value] = _Node(value)
        return node

    def add(self, node, *predecessors):
        """Add a node and what it depends on."""
        if self._ready is not None:
            raise ValueError('Nodes cannot be added after a call to prepare()')
        one = self._node(node)
        one.waiting += len(predecessors)
        for value in predecessors:
            self._node(value).successors.append(node)

    def prepare(self):
        """End adding, and look for cycles."""
        if self._ready is not None:
            raise ValueError('cannot prepare() more than once')
        self._ready = [node.value for node in self._nodes.values() if node.waiting == 0]
        cycle = self._cycle()
        if cycle:
            raise CycleError('nodes are in a cycle', cycle)

    def _cycle(self):
        """A path of nodes that ends where it began, or None."""
        done = set()
        for start in self._nodes:
            if start in done:
                continue
            path = [start]
            places = {start: 0}
            rest = [iter(self._nodes[start].successors)]
            while path:
                for value in rest[-1]:
                    if value in places:
                        return [*path[places[value]:], value]
                    if value not in done:
                        places[value] = len(path)
                        path.append(value)
                        rest.append(iter(self._nodes[value].successors))
                        break
                else:
                    value = path.pop()
                    del places[value]
                    done.add(value)
                    rest.pop()
        return None

    def get_ready(self):
        """The nodes all of whose predecessors are done, each once."""
        if self._ready is None:
            raise ValueError('prepare() must be called first')
        nodes = tuple(self._ready)
        for value in nodes:
            self._nodes[value].waiting = _given_out
        self._ready.clear()
        self._out += len(nodes)
        return nodes

    def is_active(self):
        """Whether there is anything left."""
        if self._ready is None:
            raise ValueError('prepare() must be called first')
        return self._finished < self._out or bool(self._ready)

    def __bool__(self):
        return self.is_active()

    def done(self, *nodes):
        """Say that nodes of get_ready are done."""
        if self._ready is None:
            raise ValueError('prepare() must be called first')
        for value in nodes:
            node = self._nodes.get(value)
            if node is None:
                raise ValueError(f'node {value!r} was not added using add()')
            if node.waiting == _finished:
                raise ValueError(f'node {value!r} was already marked done')
            if node.waiting != _given_out:
                raise ValueError(f'node {value!r} was not passed out (still not ready)')
            node.waiting = _finished
            for follower in node.successors:
                one = self._nodes[follower]
                one.waiting -= 1
                if one.waiting == 0:
                    self._ready.append(follower)
            self._finished += 1

    def static_order(self):
        """All nodes in order."""
        self.prepare()
        while self.is_active():
            nodes = self.get_ready()
            yield from nodes
            self.done(*nodes)
