import env from '#start/env'

export default {
  /** Streams of one process, and of one user in it. */
  maxStreams: env.get('MAX_INBOX_STREAMS') ?? 5_000,
  maxStreamsPerUser: 20,
  /** Streams of all users that are opened at a time: each takes connections to the database. */
  openedTogether: 6,
  heartbeatMs: 15_000,
  /** How often streams that were opened with sessions of the panel check these. */
  sessionCheckMs: 2_000,
  /** How often a process with streams looks for what other processes stored. */
  pollMs: 500,
  /** Between two distributions, so that many sends share one. */
  pauseMs: 100,
  /** Bytes that a client has not read yet. Beyond that it is disconnected, and can resume. */
  maxUnreadBytes: 262_144,
  /** Streams that get heartbeats, or events of all users, before others get a turn. */
  slice: 100,
  /** Events of one user that are read and sent together. */
  pageSize: 50,
  /** Changes of one user that are read together for a stream that resumes. */
  changesAtATime: 500,
  /** How long clients can read a part of many news before the next one follows anyway. */
  restMs: 1_000,

  /** Longer than any transaction takes, with the differences of clocks. */
  settleMs: 60_000,
  /** Events within that time that a client can mark. With more, some may be sent again. */
  maxMarks: 500,
  /** How long a stream can be resumed, and how long changes of items are kept for it. */
  resumeHours: 24,
  keepChangesHours: 48,
  /** Of items of one user, in this process */
  changesPerHour: 5_000,
  /** Items that are marked as read in one transaction: on SQLite, all others wait for its end. */
  markedTogether: 5_000,

  ticketMs: 30_000,
  ticketsPerUser: 20,
}
