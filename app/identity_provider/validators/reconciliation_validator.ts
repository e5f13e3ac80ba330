import vine from '@vinejs/vine'
import { pagingFields } from '#core/http/paging'
import { flag, matching } from '#core/validation/fields'

const { limit, cursor } = pagingFields

export const reconciliationListValidator = vine.create({ limit, cursor })

export const reconciliationValidator = vine.create({
  dryRun: flag().optional(),
  orgId: vine
    .string()
    .maxLength(200)
    .use(matching(/^\d{1,200}$/, 'the id of an organisation, which consists of digits'))
    .nullable()
    .optional(),
})
