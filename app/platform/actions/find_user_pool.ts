import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { UserPoolNotFound } from '#app/platform/exceptions'
import UserPool from '#app/platform/models/user_pool'

/** With its organisations. @throws UserPoolNotFound */
export async function findUserPool(id: number, client: TransactionClientContract) {
  const pool = await UserPool.query({ client })
    .where('id', id)
    .preload('organisations', (rows) => rows.orderBy('id'))
    .first()
  if (!pool) throw new UserPoolNotFound({ detail: `User pool ${id} does not exist` })
  return pool
}
