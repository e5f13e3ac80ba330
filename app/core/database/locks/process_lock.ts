/** A lock that one process holds and that goes with it. */
export interface ProcessLock {
  /** Whether this process has it now. */
  tryToTake(): Promise<boolean>
  /** Rejects when the lock has gone although it was not released. */
  readonly lost: Promise<never>
  release(): Promise<void>
}
