import { BaseSchema } from '@adonisjs/lucid/schema'

/** They could neither be read nor steered, and their recipients were kept for ever. */
export default class extends BaseSchema {
  override async up() {
    this.defer(async (db) => {
      await db
        .from('broadcasts')
        .whereNull('application_id')
        .whereIn('status', ['scheduled', 'paused'])
        .update({
          status: 'failed',
          status_reason: 'APPLICATION_NOT_FOUND: Application not found',
          finished_at: new Date().toISOString(),
        })
    })
  }
}
