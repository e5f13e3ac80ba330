import { AsyncLocalStorage } from 'node:async_hooks'
import { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { saveAccessChange } from '#core/changes/access_changes'
import { setRevisionHeader } from '#core/changes/revision_headers'
import AccessChanged, { type AccessScope } from '#core/events/access_changed'
import { asPartsOf, transaction } from '#core/database/transaction'
import { usesPostgres } from '#core/database/dialect'
import { mayWrite } from '#core/database/writing_nothing'
import { isDatabaseUnavailable } from '#core/database/errors'

/** The channel on which processes notify each other of cached decisions to drop. */
export const ACCESS_CHANNEL = 'concierge_access'

/** A PostgreSQL notification holds at most 8,000 bytes. */
const SCOPES_PER_NOTICE = 10

/** A change that was committed. */
export interface AccessNotice {
  scopes: AccessScope[]
  /** Undefined if it is not certain that the change was saved. */
  revision?: number
  /** Another notice of the same change follows. */
  isPart?: boolean
}

/** Rolls back a dry run. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('A dry run changes nothing')
  }
}

interface Options {
  dryRun?: boolean
  /** Stores the change without the addresses that it is about. */
  forgetAddresses?: boolean
}

const wholes = new AsyncLocalStorage<(scope: AccessScope) => void>()

/**
 * Makes the actions that `work` calls one change: all or none of it is stored, and it is announced
 * as a whole, with one revision. After a conflict with another writer, `work` runs again.
 */
export function asOneChange<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  return accessTransaction((trx, changed) => {
    const declared = new Set<string>()
    const declare = (scope: AccessScope) => {
      const key = JSON.stringify([scope.email, scope.application, scope.resourceType])
      if (!declared.has(key)) changed(scope)
      declared.add(key)
    }
    return asPartsOf(trx, () => wholes.run(declare, () => work(trx)))
  })
}

/**
 * Runs `work` in a transaction and announces the changes that it declares through `changed`
 * (checks.md#cache-invalidation): to other processes with the commit itself, so that no crash can
 * come between, and to this one before it returns. Each such transaction has a revision. A dry run
 * is rolled back and announces nothing.
 */
export async function accessTransaction<T>(
  work: (trx: TransactionClientContract, changed: (scope: AccessScope) => void) => Promise<T>,
  { dryRun = false, forgetAddresses = false }: Options = {}
): Promise<T> {
  const declareToWhole = wholes.getStore()
  if (declareToWhole && !dryRun) return transaction((trx) => work(trx, declareToWhole))
  let scopes: AccessScope[] = []
  let revision: number | undefined
  const announce = () =>
    scopes.length > 0 && mayWrite() ? AccessChanged.dispatch(scopes, revision) : undefined
  try {
    const result = await transaction(async (trx) => {
      scopes = []
      const value = await work(trx, (scope) => scopes.push(scope))
      if (dryRun) throw new DryRun(value)
      if (scopes.length > 0 && mayWrite()) {
        revision = await saveAccessChange(forgetAddresses ? withoutAddresses(scopes) : scopes, trx)
        if (usesPostgres()) await notify(trx, { scopes, revision })
      }
      return value
    })
    await announce()
    const ctx = HttpContext.get()
    if (ctx && revision !== undefined) setRevisionHeader(ctx, revision)
    return result
  } catch (error) {
    if (error instanceof DryRun) return error.result as T
    // If the connection broke during the commit, the changes may have been saved.
    if (isDatabaseUnavailable(error)) await announce()
    throw error
  }
}

const withoutAddresses = (scopes: AccessScope[]) =>
  scopes.map((scope) => ({ ...scope, email: undefined }))

async function notify(trx: TransactionClientContract, { scopes, revision }: AccessNotice) {
  for (let start = 0; start < scopes.length; start += SCOPES_PER_NOTICE) {
    const end = start + SCOPES_PER_NOTICE
    const isPart = end < scopes.length
    const notice: AccessNotice = { scopes: scopes.slice(start, end), revision, isPart }
    await trx.rawQuery('select pg_notify(?, ?)', [ACCESS_CHANNEL, JSON.stringify(notice)])
  }
}
