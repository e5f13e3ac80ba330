import { UpstreamUnreachable } from '#core/exceptions/problems'

/**
 * Makes a change at the provider, then records it. A change whose response is lost counts as made:
 * it may have been, and a repetition would find nothing to record.
 * @throws as `change` does
 */
export async function recordOnceMade(change: () => Promise<void>, record: () => Promise<void>) {
  try {
    await change()
  } catch (error) {
    if (error instanceof UpstreamUnreachable) await record()
    throw error
  }
  await record()
}
