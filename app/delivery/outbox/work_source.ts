/**
 * Rows that wait to be worked on. They are claimed in batches under a lease, so that any number of processes can share
 * them and what a dead process had claimed comes back when its lease runs out.
 */
export interface WorkSource {
  /** Names it in logs. */
  readonly name: string
  /**
   * Claims a batch of due rows and works on it. One row that cannot be worked on must not keep the others.
   *
   * @param stopping Aborted when the process is to end: what is under way is finished, nothing new begun
   * @returns whether more may be due at once
   */
  work(stopping: AbortSignal): Promise<boolean>
  /** How many rows are due and not done, for the metrics: one cheap query. */
  backlog?(): Promise<number>
}
