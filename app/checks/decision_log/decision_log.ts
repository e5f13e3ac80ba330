import { hostname } from 'node:os'
import { LRUCache } from 'lru-cache'
import { currentRequestId } from '#core/http/current_request'
import { secrets } from '#core/secrets'
import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { LineWriter, MAX_LINE_BYTES } from '#app/checks/decision_log/line_writer'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision, RuleNumber } from '#app/checks/values/decision'

const INSTANCE = `${hostname()}:${process.pid}`
/** Computing one takes longer than a cached check. */
const MAX_DIGESTS = 10_000
/** So that a line is short enough, even if each character is escaped. */
const SHORT_VALUE_LENGTH = 80

export interface DecisionLogSettings {
  selection: 'off' | 'denied' | 'sample' | 'all'
  /** Of the decisions, from 0 to 1, for `sample`. */
  share: number
  /** A file, or `stdout`. */
  target: string
  /** Whether digests replace addresses. */
  masksEmail: boolean
}

export interface LoggedDecision {
  scope: CheckScope
  permission: string
  level: AccessLevel | undefined
  /** No rule decides about what is unknown. */
  decision: Pick<Decision, 'level' | 'source'> & { decidedBy: RuleNumber | null }
  /** Whether it was decided from memory. */
  cached: boolean
  /** Of the question, in milliseconds; questions of one request share it. */
  duration: number
}

/** A line of JSON per decision (checks.md#decision-log). */
export class DecisionLog {
  readonly isOn: boolean
  readonly #settings: DecisionLogSettings
  readonly #writer: LineWriter
  readonly #digests = new LRUCache<string, string>({ max: MAX_DIGESTS })

  constructor(settings: DecisionLogSettings) {
    this.#settings = settings
    this.isOn = settings.selection !== 'off'
    this.#writer = new LineWriter(settings.target)
  }

  /** How many lines were lost. */
  get lost(): number {
    return this.#writer.lost
  }

  add(logged: LoggedDecision) {
    const allowed = satisfies(logged.decision.level, logged.level)
    if (this.#selects(allowed)) {
      this.#writer.write(logged.scope.email, () => {
        const line = this.#lineOf(logged, allowed)
        const isTooLong = Buffer.byteLength(line) > MAX_LINE_BYTES
        return isTooLong ? this.#lineOf(withShortValues(logged), allowed) : line
      })
    }
  }

  end(): Promise<void> {
    return this.#writer.end()
  }

  #lineOf(logged: LoggedDecision, allowed: boolean): string {
    const { scope, permission, level, decision, cached, duration } = logged
    const { email, app, resourceType, resourceId } = scope
    return JSON.stringify({
      time: new Date().toISOString(),
      event: 'decision',
      subject: this.#settings.masksEmail ? this.#digestOf(email) : email,
      application: app,
      permission,
      level: level ?? null,
      resourceType: resourceType || null,
      resourceId: resourceId || null,
      allowed,
      accessLevel: decision.level,
      source: decision.source,
      rule: decision.decidedBy,
      cached,
      durationMs: Math.round(duration * 1_000) / 1_000,
      requestId: currentRequestId() ?? null,
      instance: INSTANCE,
    })
  }

  #selects(allowed: boolean): boolean {
    const { selection, share } = this.#settings
    if (selection === 'denied') return !allowed
    return selection === 'all' || Math.random() < share
  }

  #digestOf(email: string): string {
    const known = this.#digests.get(email)
    if (known !== undefined) return known
    const digest = secrets.fingerprint(email, 'decision_log.subject')
    this.#digests.set(email, digest)
    return digest
  }
}

function withShortValues({ scope, permission, ...rest }: LoggedDecision): LoggedDecision {
  const { email, app, resourceType, resourceId } = scope
  return {
    ...rest,
    permission: shorten(permission),
    scope: {
      email,
      app: shorten(app),
      resourceType: shorten(resourceType),
      resourceId: shorten(resourceId),
    },
  }
}

const shorten = (value: string) =>
  value.length > SHORT_VALUE_LENGTH ? `${value.slice(0, SHORT_VALUE_LENGTH)}…` : value
