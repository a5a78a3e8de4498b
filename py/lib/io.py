"""io: text and bytes in memory that are read and written like files."""

SEEK_SET = 0
SEEK_CUR = 1
SEEK_END = 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    """What this kind of stream cannot do."""


class IOBase:
    """What streams of text and of bytes have in common."""

    closed = False

    def close(self):
        self.closed = True

    def __enter__(self):
        return iter(self)

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()

    def __iter__(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _check_open(self):
        if self.closed:
            raise ValueError(self._closed_message)

    _closed_message = 'I/O operation on closed file.'

    def readlines(self, hint=-1, /):
        lines = []
        size = 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def writelines(self, lines, /):
        self._check_open()
        for line in lines:
            self.write(line)

    def _open_and(self, answer):
        self._check_open()
        return answer

    def flush(self):
        self._check_open()

    def isatty(self):
        return self._open_and(False)

    def readable(self):
        return self._open_and(True)

    def writable(self):
        return self._open_and(True)

    def seekable(self):
        return self._open_and(True)

    def fileno(self):
        raise UnsupportedOperation('fileno')

    def detach(self):
        raise UnsupportedOperation('detach')


class RawIOBase(IOBase):
    """Streams of bytes without a buffer."""


class BufferedIOBase(IOBase):
    """Streams of bytes."""


class TextIOBase(IOBase):
    """Streams of text."""

    encoding = None
    errors = None
    newlines = None


def _size(value):
    """How much to read: None and negative numbers stand for everything."""
    if value is None:
        return -1
    if not isinstance(value, int):
        raise TypeError(f"argument should be integer or None, not '{type(value).__name__}'")
    return value


class _Memory:
    """A stream over data that is all in memory.

    What is written at the end waits in a list, and is joined to the rest when
    somebody reads."""

    def _start(self, data):
        self._data = data
        self._tail = []
        self._length = len(data)
        self._place = 0

    def _settled(self):
        self._check_open()
        if self._tail:
            self._tail.insert(0, self._data)
            self._data = self._nothing.join(self._tail)
            self._tail = []
        return self._data

    def _put(self, data):
        if self._place == self._length:
            self._tail.append(data)
            self._length += len(data)
        else:
            old = self._settled()
            if self._place > self._length:
                old += self._zero * (self._place - self._length)
            self._data = old[:self._place] + data + old[self._place + len(data):]
            self._length = len(self._data)
        self._place += len(data)

    def close(self):
        self.closed = True
        self._data = self._nothing
        self._tail = []

    def getvalue(self):
        return self._settled()

    def read(self, size=-1, /):
        data = self._settled()
        size = _size(size)
        start = self._place
        end = self._length if size < 0 else min(start + size, self._length)
        if start >= end:
            return self._nothing
        self._place = end
        return data if end - start == self._length else data[start:end]

    def readline(self, size=-1, /):
        data = self._settled()
        size = _size(size)
        start = self._place
        if start >= self._length:
            return self._nothing
        end = self._line_end(data, start)
        if 0 <= size < end - start:
            end = start + size
        self._place = end
        return data[start:end]

    def tell(self):
        self._check_open()
        return self._place

    def truncate(self, size=None, /):
        self._check_open()
        if size is None:
            size = self._place
        elif not isinstance(size, int):
            raise TypeError(f"argument should be integer or None, not '{type(size).__name__}'")
        elif size < 0:
            raise ValueError(self._negative_truncate % size)
        if size < self._length:
            self._data = self._settled()[:size]
            self._length = size
        return size


class StringIO(_Memory, TextIOBase):
    """Text in memory that is read and written like a file."""

    _nothing = ''
    _zero = '\0'
    _closed_message = 'I/O operation on closed file'
    _negative_truncate = 'Negative size value %d'
    line_buffering = False

    def __init__(self, initial_value='', newline='\n'):
        if newline is not None and not isinstance(newline, str):
            raise TypeError(f'newline must be str or None, not {type(newline).__name__}')
        if newline not in (None, '', '\n', '\r', '\r\n'):
            raise ValueError(f'illegal newline value: {newline!r}')
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f'initial_value must be str or None, not {type(initial_value).__name__}')
        self._newline = newline
        self._start('')
        if initial_value:
            self._put(self._translated(initial_value))
            self._place = 0

    def flush(self):
        pass

    def _translated(self, text):
        if self._newline is None:
            return text.replace('\r\n', '\n').replace('\r', '\n') if '\r' in text else text
        if self._newline and self._newline != '\n':
            return text.replace('\n', self._newline)
        return text

    def _line_end(self, data, start):
        newline = self._newline or '\n'
        end = data.find(newline, start)
        end = self._length if end < 0 else end + len(newline)
        if self._newline == '':
            carriage = data.find('\r', start, end)
            if carriage >= 0:
                end = carriage + (2 if data[carriage + 1:carriage + 2] == '\n' else 1)
        return end

    def write(self, text, /):
        self._check_open()
        if not isinstance(text, str):
            raise TypeError(f"string argument expected, got '{type(text).__name__}'")
        if text:
            self._put(self._translated(text))
        return len(text)

    def seek(self, place, whence=0, /):
        self._check_open()
        if not isinstance(place, int):
            raise TypeError(f"'{type(place).__name__}' object cannot be interpreted as an integer")
        if whence not in (0, 1, 2):
            raise ValueError(f'Invalid whence ({whence}, should be 0, 1 or 2)')
        if place < 0 and whence == 0:
            raise ValueError(f'Negative seek position {place}')
        if whence and place:
            raise OSError("Can't do nonzero cur-relative seeks")
        if whence == 2:
            place = self._length
        elif whence == 1:
            place = self._place
        self._place = place
        return place


class BytesIO(_Memory, BufferedIOBase):
    """Bytes in memory that are read and written like a file."""

    _nothing = b''
    _zero = b'\0'
    _negative_truncate = 'negative size value %d'

    def __init__(self, initial_bytes=b''):
        self._start(b'' if initial_bytes is None else self._bytes(initial_bytes))

    def _bytes(self, data):
        if isinstance(data, (str, int)) or data is None:
            raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
        return bytes(data)

    def _line_end(self, data, start):
        end = data.find(b'\n', start)
        return self._length if end < 0 else end + 1

    def read1(self, size=-1, /):
        return self.read(size)

    def write(self, data, /):
        self._check_open()
        data = self._bytes(data)
        if data:
            self._put(data)
        return len(data)

    def seek(self, place, whence=0, /):
        self._check_open()
        if not isinstance(place, int):
            raise TypeError(f"'{type(place).__name__}' object cannot be interpreted as an integer")
        if whence not in (0, 1, 2):
            raise ValueError(f'invalid whence ({whence}, should be 0, 1 or 2)')
        if place < 0 and whence == 0:
            raise ValueError(f'negative seek value {place}')
        if whence == 1:
            place += self._place
        elif whence == 2:
            place += self._length
        self._place = max(0, place)
        return self._place


class TextIOWrapper(TextIOBase):
    """Text over a stream of bytes. All of it is read at the first need; what
    is written reaches the stream at once."""

    _closed_message = 'I/O operation on closed file.'
    line_buffering = False

    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        if newline not in (None, '', '\n', '\r', '\r\n'):
            raise ValueError(f'illegal newline value: {newline!r}')
        self.buffer = buffer
        self.encoding = encoding or 'utf-8'
        self.errors = errors or 'strict'
        self._newline = newline
        self._text = None

    def _source(self):
        self._check_open()
        if self._text is None:
            data = self.buffer.read()
            self._text = StringIO(data.decode(self.encoding, self.errors), self._newline)
            if self._newline in ('\r', '\r\n'):
                self._text = StringIO(data.decode(self.encoding, self.errors), '')
        return self._text

    def read(self, size=-1, /):
        return self._source().read(size)

    def readline(self, size=-1, /):
        return self._source().readline(size)

    def write(self, text, /):
        self._check_open()
        if not isinstance(text, str):
            raise TypeError(f'write() argument must be str, not {type(text).__name__}')
        wanted = text
        if self._newline and self._newline != '\n':
            wanted = text.replace('\n', self._newline)
        self.buffer.write(wanted.encode(self.encoding, self.errors))
        return len(text)

    def seek(self, place, whence=0, /):
        self._check_open()
        if place == 0 and whence == 0:
            self.buffer.seek(0)
            self._text = None
            return 0
        raise UnsupportedOperation('can only seek to the start')

    def detach(self):
        self._check_open()
        buffer, self.buffer = self.buffer, None
        self.closed = True
        return buffer

    def close(self):
        if not self.closed:
            self.closed = True
            self.buffer.close()
