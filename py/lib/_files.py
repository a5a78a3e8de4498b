"""_files: open files, where a host answers for them."""

import _calls

_modes = {'r', 'rb', 'r+', 'rb+', 'w', 'wb', 'w+', 'wb+', 'a', 'ab', 'a+', 'ab+'}


def _mode_of(mode):
    """The mode as hosts write it."""
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    kind = mode.replace('t', '')
    if '+' in kind:
        kind = kind.replace('+', '') + '+'
    if kind not in _modes or ('t' in mode and 'b' in mode):
        raise ValueError(f"invalid mode: '{mode}'")
    return kind


def opened(file, path, mode):
    """The file at path, which its host opens."""
    kind = _mode_of(mode)
    found = _calls.ask('open', path, kind)
    if type(found) is not File:
        raise RuntimeError(f"'open' must return a file handle, not {type(found).__name__}")
    found.name, found.mode = file, kind
    return found


class File:
    """An open file, which is read as a whole at first, and to which text is appended.

    The machine makes it of what a host opens, with the fields name, mode, closed, _path, _data and _at.
    """

    @property
    def _binary(self):
        return 'b' in self.mode

    def __repr__(self):
        if self._binary:
            return f'<_io.BufferedReader name={self.name!r}>'
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding='UTF-8'>"

    def _content(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        if not self.readable():
            _unsupported('not readable')
        if self._data is None:
            self._data = _calls.ask('read_bytes' if self._binary else 'read_text', self._path)
        return self._data

    def readable(self):
        return 'r' in self.mode or '+' in self.mode

    def writable(self):
        return 'r' not in self.mode or '+' in self.mode

    def seekable(self):
        return True

    def read(self, size=-1):
        data = self._content()
        end = len(data) if size is None or size < 0 else self._at + size
        part = data[self._at:end]
        self._at += len(part)
        return part

    def readline(self, size=-1):
        data = self._content()
        end = data.find(b'\n' if self._binary else '\n', self._at) + 1
        if end == 0:
            end = len(data)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = data[self._at:end]
        self._at = end
        return part

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, data):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        if not self.writable():
            _unsupported('not writable')
        wanted = bytes if self._binary else str
        if not isinstance(data, wanted):
            if self._binary:
                raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
            raise TypeError(f'write() argument must be str, not {type(data).__name__}')
        _calls.ask('append_bytes' if self._binary else 'append_text', self._path, data)
        self._data = None
        return len(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def seek(self, offset, whence=0):
        if whence == 1:
            offset += self._at
        elif whence == 2:
            offset += len(self._content())
        self._at = max(offset, 0)
        return self._at

    def tell(self):
        return self._at

    def flush(self):
        pass

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _unsupported(message):
    from io import UnsupportedOperation
    raise UnsupportedOperation(message)
