import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DateTime } from 'luxon'
import { notInApplication } from '#app/applications/values/not_in_application'
import { KeyNotForApplication } from '#app/auth/exceptions'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { NotificationNotFound } from '#app/notifications/exceptions'
import Notification from '#app/notifications/models/notification'

export interface LogScope {
  appCode?: string
  /** Hides the entries of an earlier application with the same code */
  since?: DateTime
}

/** Locks it in a transaction. @throws NotificationNotFound, also for entries outside the scope */
export async function findLogEntry(
  id: number,
  { appCode, since }: LogScope,
  trx?: TransactionClientContract
): Promise<Notification> {
  const notification = await Notification.query({ client: trx })
    .where({ id })
    .if(trx, (query) => query.forUpdate())
    .first()
  const isVisible =
    notification &&
    (appCode === undefined || notification.appCode === appCode) &&
    (since === undefined || notification.createdAt >= since)
  if (isVisible) return notification
  const what = `Notification ${id}`
  throw new NotificationNotFound(
    appCode === undefined ? { detail: `${what} does not exist` } : notInApplication(what, appCode)
  )
}

/** Runs `read` with what a caller may see. @throws KeyNotForApplication for everything else */
export async function withinAccess<T>(
  caller: InternalCaller,
  read: (scope: LogScope) => Promise<T>
): Promise<T> {
  if (caller.kind === 'platform') return read({})
  try {
    return await read({ appCode: caller.appCode, since: caller.appCreatedAt })
  } catch (error) {
    // So that a key cannot find out which ids are in use.
    throw error instanceof NotificationNotFound ? new KeyNotForApplication() : error
  }
}
