export default {
  /** Streams of one process. */
  maxStreams: 2_000,
  heartbeatMs: 5_000,
  /** Between two distributions of changes, for each stream, and at most. */
  pauseMsPerStream: 0.5,
  maxPauseMs: 500,
  /** Events that are read at a time. */
  pageSize: 100,
  /** A page ends beyond this length, as JSON. Less than a client may leave unread. */
  pageCharacters: 250_000,
  /** Bytes that a client has not read yet. Beyond that it is disconnected, and can resume. */
  maxUnreadBytes: 1_048_576,
  /** Streams that are written to before other requests get a turn. */
  slice: 100,
}
