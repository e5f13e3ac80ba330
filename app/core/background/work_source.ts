/**
 * Rows that wait to be processed. Processes claim them in batches under a lease, so what a process
 * claimed before it died becomes available again.
 */
export interface WorkSource {
  readonly name: string
  /**
   * Processes a batch of due rows and returns whether more may be due. A failed row must not affect
   * the others. After an abort, work in progress is finished and no new work is started.
   */
  work(stopping: AbortSignal): Promise<boolean>
  /** Waits for work that `work` left in progress. Called after an abort. */
  finish?(): Promise<void>
  /** Counts due rows for the metrics, with one cheap query. */
  backlog?(): Promise<number>
}
