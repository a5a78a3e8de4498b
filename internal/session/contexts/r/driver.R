# Makes the function that serves requests: it evaluates code in the workspace, and
# says on the streams of the code where an execution begins and ends, and what its
# values and its errors are. Interrupts are held back but where code runs.
function(settings) {
  OUT <- file("/dev/fd/1", "wb", raw = TRUE) # the code may sink R's own
  ERR <- file("/dev/fd/2", "wb", raw = TRUE)
  EDGE <- as.raw(0x1e)
  MANY <- 100000 # values of a table
  LONG <- 1048576 # characters of a text
  TABLE <- "application/vnd.glovebox.table+json"
  DIGITS <- charToRaw("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  pictures <- file.path(tempdir(), "glovebox")
  device <- NULL # the number of the one that draws results
  id <- ""

  write_mark <- function(to, text) {
    writeBin(c(EDGE, charToRaw(paste(id, text)), EDGE), to)
    flush(to)
  }

  mark <- function(word) {
    flush(stdout())
    write_mark(OUT, word)
    write_mark(ERR, word)
  }

  emit <- function(...) {
    line <- object(...)
    size <- nchar(line, "bytes")
    if (size > settings$limit) line <- object(type = quoted("dropped"), bytes = as.character(size))
    suspendInterrupts(write_mark(OUT, paste("event", line)))
  }

  # What follows makes JSON.

  quoted <- function(text) {
    text <- enc2utf8(text)
    text[!validUTF8(text)] <- iconv(text[!validUTF8(text)], "UTF-8", "UTF-8", sub = "?")
    text <- gsub("\\", "\\\\", text, fixed = TRUE)
    text <- gsub("\"", "\\\"", text, fixed = TRUE)
    for (special in unique(unlist(regmatches(text, gregexpr("[\001-\037]", text))))) {
      text <- gsub(special, sprintf("\\u%04x", utf8ToInt(special)), text, fixed = TRUE)
    }
    paste0("\"", text, "\"")
  }

  object <- function(...) {
    fields <- list(...)
    paste0("{", paste0(quoted(names(fields)), ":", unlist(fields), collapse = ","), "}")
  }

  column <- function(values) {
    missing <- is.na(values)
    if (inherits(values, "POSIXt")) values <- format(values, "%Y-%m-%dT%H:%M:%S")
    if (is.logical(values)) {
      out <- tolower(as.character(values))
    } else if (is.numeric(values) && !is.object(values)) {
      missing <- !is.finite(values)
      out <- format(values, digits = 15, trim = TRUE, scientific = NA)
      if (is.integer(values)) out <- as.character(values)
    } else {
      out <- quoted(as.character(values))
    }
    out[missing] <- "null"
    paste0("[", paste(out, collapse = ","), "]")
  }

  table_of <- function(frame) {
    if (length(frame) == 0 || nrow(frame) * length(frame) > MANY) return(NULL)
    if (!all(vapply(frame, is.atomic, TRUE)) || any(lengths(frame) != nrow(frame))) return(NULL)
    do.call(object, lapply(frame, column))
  }

  base64 <- function(bytes) {
    pad <- -length(bytes) %% 3
    m <- matrix(as.integer(c(bytes, raw(pad))), nrow = 3)
    parts <- rbind(m[1, ] %/% 4, m[1, ] %% 4 * 16 + m[2, ] %/% 16, m[2, ] %% 16 * 4 + m[3, ] %/% 64, m[3, ] %% 64)
    out <- DIGITS[parts + 1]
    if (pad > 0) out[length(out) + 1 - seq_len(pad)] <- charToRaw("=")
    rawToChar(out)
  }

  # What follows makes results.

  result <- function(forms, main) {
    emit(type = quoted("result"), main = if (main) "true" else "false", data = do.call(object, forms))
  }

  show <- function(value, main) {
    text <- paste(utils::capture.output(print(value)), collapse = "\n")
    if (text == "") return() # it was drawn
    if (nchar(text) > LONG) text <- paste0(substr(text, 1, LONG), "...")
    forms <- list("text/plain" = quoted(text))
    if (is.data.frame(value)) forms[[TABLE]] <- tryCatch(table_of(value), error = function(e) NULL)
    result(forms, main)
  }

  open_device <- function(...) {
    dir.create(pictures, showWarnings = FALSE)
    kind <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(file.path(pictures, "%06d.png"), width = 7, height = 5, units = "in", res = 120, type = kind)
    device <<- grDevices::dev.cur()
  }

  show_pictures <- function() {
    if (is.null(device)) return()
    if (identical(names(device), names(grDevices::dev.list())[match(device, grDevices::dev.list())])) {
      grDevices::dev.off(device)
    }
    device <<- NULL
    for (path in sort(list.files(pictures, full.names = TRUE))) {
      bytes <- readBin(path, "raw", file.size(path))
      unlink(path)
      result(list("image/png" = quoted(base64(bytes))), FALSE)
    }
  }

  # What follows runs code.

  evaluate <- function(code) {
    expressions <- parse(text = code, keep.source = TRUE)
    for (i in seq_along(expressions)) {
      value <- withVisible(eval(expressions[i], globalenv()))
      if (value$visible) show(value$value, i == length(expressions))
    }
  }

  failed <- function(name, value, traceback) {
    emit(type = quoted("error"), error = object(name = quoted(name), value = quoted(value), traceback = quoted(traceback)))
  }

  describe <- function(failure, calls) {
    said <- paste(conditionMessage(failure), collapse = "\n")
    where <- conditionCall(failure)
    lines <- if (is.null(where)) paste("Error:", said) else paste0("Error in ", deparse(where, nlines = 1)[1], " : ", said)
    if (length(calls) > 0) {
      calls <- utils::head(calls, 100)
      lines <- c(lines, "Traceback:", paste0(seq_along(calls), ". ", vapply(calls, function(call) deparse(call, nlines = 1)[1], "")))
    }
    failed(class(failure)[1], said, paste0(paste(lines, collapse = "\n"), "\n"))
  }

  # warn says a warning in its place among the results, which come on another stream.
  warn <- function(w) {
    if (getOption("warn") != 1) return()
    where <- conditionCall(w)
    before <- if (is.null(where) || identical(where[[1]], quote(eval))) "Warning: " else paste0("Warning in ", deparse(where, nlines = 1)[1], " : ")
    emit(type = quoted("stderr"), text = quoted(paste0(before, conditionMessage(w), "\n")))
    tryInvokeRestart("muffleWarning")
  }

  # attempt evaluates code that may be interrupted. Of its calls it keeps those that
  # are the code's own.
  attempt <- function(run) {
    calls <- NULL
    base <- sys.nframe()
    keep <- function(failure) {
      own <- sys.calls()[-seq_len(base)]
      start <- Position(function(call) identical(call[[1]], quote(eval)), own, right = FALSE, nomatch = length(own))
      own <- own[-seq_len(min(length(own), start + 1))] # eval calls itself
      ends <- vapply(own, function(call) is.function(call[[1]]) || identical(call[[1]], quote(.handleSimpleError)), TRUE)
      calls <<- own[cumsum(ends) == 0]
    }
    tryCatch(withCallingHandlers(allowInterrupts(run()), error = keep, warning = warn),
      interrupt = function(i) failed("KeyboardInterrupt", "", ""),
      error = function(failure) describe(failure, calls))
  }

  # forget takes note of an interrupt that came when no code ran.
  forget <- function() {
    tryCatch(allowInterrupts(for (i in 1:2) Sys.sleep(0)), interrupt = function(i) NULL)
  }

  set_variables <- function(values) {
    Sys.unsetenv(names(values)[is.na(values)])
    set <- as.list(values[!is.na(values)])
    if (length(set) > 0) do.call(Sys.setenv, set)
  }

  execute <- function(code, names, values) {
    reseed()
    forget()
    mark("begin")
    before <- Sys.getenv(names, NA, names = TRUE)
    set_variables(stats::setNames(values, names))
    attempt(function() evaluate(code))
    attempt(show_pictures)
    set_variables(before)
    mark("0")
  }

  generation <- function() {
    tryCatch(suppressWarnings(readLines(settings$generation, 1)), error = function(e) "")
  }
  known <- generation()

  # reseed gives the code random numbers of its own after the session was forked.
  reseed <- function() {
    now <- generation()
    if (!identical(now, known)) set.seed(NULL)
    known <<- now
  }

  options(warn = 1, device = open_device, browser = function(...) NULL, menu.graphics = FALSE)

  function(requests) suspendInterrupts(repeat {
    line <- readLines(requests, 1)
    if (length(line) == 0) quit("no", 0)
    words <- strsplit(line, " ", fixed = TRUE)[[1]]
    id <<- words[1]
    texts <- vapply(as.integer(words[-(1:2)]), function(size) {
      text <- rawToChar(readBin(requests, "raw", size))
      Encoding(text) <- "UTF-8"
      text
    }, "")
    if (length(texts) == 0) {
      mark("ready")
      next
    }
    pairs <- matrix(texts[-1], nrow = 2)
    execute(texts[1], pairs[1, ], pairs[2, ])
  })
}
