/** A lock that is released when its process ends. */
export interface ProcessLock {
  /** Tries to take the lock, and says whether this process has it. */
  tryToTake(): Promise<boolean>
  /** Rejects if the lock is lost without being released. */
  readonly lost: Promise<never>
  release(): Promise<void>
}
