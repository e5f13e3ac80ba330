import vine from '@vinejs/vine'
import { queryFlag } from '#core/validation/fields'

export const dryRunValidator = vine.create({ dryRun: queryFlag() })
