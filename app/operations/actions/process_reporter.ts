import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { withBriefLockWait } from '#core/database/lock_wait'
import { withBackgroundTimeLimit } from '#core/database/statement_time_limit'
import { describeError } from '#core/exceptions/describe_error'
import { lastHour } from '#core/metrics/request_durations'
import { tokenVerifier } from '#app/auth/verifier'
import { storeCheckCounts } from '#app/checks/actions/store_check_counts'
import { decisions } from '#app/checks/decisions'
import ProcessReport, { type ProcessKind } from '#app/operations/models/process_report'
import type { ProcessState } from '#app/operations/values/process_state'
import operationsConfig from '#config/operations'

const { keptMinutes, maxReports, reportMs, version } = operationsConfig

const DELETE_EVERY_MS = 60_000
const STOP_WITHIN_MS = 2_000

/** Writes what this process knows about itself into a row that any process can read. */
export class ProcessReporter {
  readonly processId = randomUUID()
  readonly #kind: ProcessKind
  readonly #startedAt = DateTime.utc().minus({ seconds: process.uptime() })
  #timer?: NodeJS.Timeout
  #writing: Promise<void> | null = null
  #nextDeletionAt = 0

  constructor(kind: ProcessKind) {
    this.#kind = kind
  }

  start() {
    // A lost report is replaced by the next one.
    const report = () => void withBriefLockWait(() => this.report())
    this.#timer = setInterval(report, reportMs).unref()
    report()
  }

  /** Reports that the process has ended, unless the database takes too long. */
  async stop() {
    clearInterval(this.#timer)
    await Promise.race([this.#reportEnd(), pause(STOP_WITHIN_MS, null, { ref: false })])
  }

  /** One report at a time. Never throws: a process keeps working even if it cannot report. */
  report(endedAt: DateTime | null = null): Promise<void> {
    const write = async () => {
      await this.#write(endedAt)
      await storeCheckCounts()
    }
    this.#writing ??= withBackgroundTimeLimit(write)
      .catch((error: unknown) =>
        logger.debug({ error: describeError(error) }, 'The process could not report its state')
      )
      .finally(() => (this.#writing = null))
    return this.#writing
  }

  async #reportEnd() {
    await this.#writing
    await this.report(DateTime.utc())
  }

  async #write(endedAt: DateTime | null) {
    const seenAt = DateTime.utc()
    const { processId } = this
    const state = readState()
    // Not `updateOrCreate`, which reads first: on SQLite, its write fails if another process wrote
    // meanwhile.
    const updated = await ProcessReport.query()
      .where({ processId })
      .update({
        state: JSON.stringify(state),
        seenAt: toDatabaseTimestamp(seenAt),
        endedAt: endedAt && toDatabaseTimestamp(endedAt),
      })
    if (Number(updated) === 0) {
      await ProcessReport.create({
        processId,
        host: hostname(),
        pid: process.pid,
        kind: this.#kind,
        version,
        state,
        startedAt: this.#startedAt,
        seenAt,
        endedAt,
      })
    }
    if (performance.now() < this.#nextDeletionAt) return
    this.#nextDeletionAt = performance.now() + DELETE_EVERY_MS
    await deleteOld(seenAt)
  }
}

function readState(): ProcessState {
  const { hits, misses, size } = decisions
  const { keysAgeMs } = tokenVerifier
  return {
    memoryBytes: process.memoryUsage.rss(),
    cache: { hits, misses, size },
    tokenKeysReadAt: keysAgeMs === null ? null : new Date(Date.now() - keysAgeMs).toISOString(),
    minutes: lastHour.read(),
  }
}

/** A process that restarts repeatedly must not fill the table. */
async function deleteOld(now: DateTime) {
  const before = toDatabaseTimestamp(now.minus({ minutes: keptMinutes }))
  const surplus = await ProcessReport.query().orderBy('seenAt', 'desc').offset(maxReports).first()
  const latest = surplus ? toDatabaseTimestamp(surplus.seenAt) : before
  const last = latest > before ? latest : before
  // On SQLite, even a delete without matching rows blocks other writers.
  const old = await ProcessReport.query().where('seenAt', '<=', last).select('id').first()
  if (old) await ProcessReport.query().where('seenAt', '<=', last).delete()
}
