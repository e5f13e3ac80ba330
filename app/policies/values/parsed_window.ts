import { DateTime } from 'luxon'

interface WindowTexts {
  validFrom: string | null
  validUntil: string | null
}

/** A time window of a document, as actions take it. */
export const parsedWindow = ({ validFrom, validUntil }: WindowTexts) => ({
  validFrom: parsed(validFrom),
  validUntil: parsed(validUntil),
})

const parsed = (text: string | null) =>
  text === null ? null : DateTime.fromISO(text, { zone: 'utc' })
