import { PreviewTooLarge } from '#app/checks/exceptions'

/** The limits of one preview (previews.md#limits-of-a-preview). */
export const PREVIEW_LIMITS = {
  /** Whose decisions can change. */
  users: 100_000,
  /** That these users have on the permissions concerned. */
  overrides: 200_000,
  /** Named by overrides, but in no catalog. */
  uncataloguedResources: 100_000,
  /** If conditions matter, because they can read the properties of each. */
  resourcesWithConditions: 20_000,
  /** Of these resources, in characters of JSON. */
  properties: 16_000_000,
  /** Evaluations of conditions. */
  conditions: 1_000_000,
  /** Of these evaluations together, in units of about 10 ns. */
  conditionCost: 300_000_000,
}

export type PreviewLimit = keyof typeof PREVIEW_LIMITS

/** @throws PreviewTooLarge */
export function requireWithin(limit: PreviewLimit, amount: number) {
  if (amount <= PREVIEW_LIMITS[limit]) return
  throw new PreviewTooLarge({
    details: { exceeded: limit, limit: PREVIEW_LIMITS[limit] },
  })
}
