export interface ProcessLock {
  tryAcquire(): Promise<boolean>
  /** Rejects if the lock is lost without being released. */
  readonly lost: Promise<never>
  release(): Promise<void>
}
