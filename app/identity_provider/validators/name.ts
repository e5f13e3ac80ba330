import vine from '@vinejs/vine'
import { singleLine } from '#core/values/single_line'
import { MAX_NAME_LENGTH } from '#app/profiles/values/names'

/** Put on one line rather than refused, because the provider sends an event only once. */
export const name = () => vine.string().trim().maxLength(MAX_NAME_LENGTH).transform(singleLine)
