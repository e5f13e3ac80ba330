import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import { countUsersWithEmail, readUser } from '#app/identity_provider/zitadel/listed_users'
import { serviceAccount } from '#app/identity_provider/zitadel/zitadel'

/**
 * What the provider says about an address that an account has not proved here: `verified` only if
 * no other user has it, `unknown` also if the provider could not be asked
 * (identity-provider.md#end-of-a-reservation).
 */
export type AddressProof = 'verified' | 'unverified' | 'missing' | 'unknown'

/** Half of the time that the provider waits for the response to an event. */
const ASK_WITHIN_MS = 5_000

class ProofNeeded extends Error {
  constructor(readonly email: string) {
    super('The provider must be asked about an address')
  }
}

/**
 * Runs `work`, whose transaction ends when it asks for a proof that is not known yet, and then runs
 * it again: the provider is never asked within a transaction.
 */
export async function withAddressProofs<T>(
  idpUserId: string,
  work: (proofOf: (email: string) => AddressProof) => Promise<T>
): Promise<T> {
  const proofs = new Map<string, AddressProof>()
  const proofOf = (email: string) => {
    if (!serviceAccount.isConfigured) return 'unknown'
    const proof = proofs.get(email)
    if (proof === undefined) throw new ProofNeeded(email)
    return proof
  }
  for (;;) {
    try {
      return await work(proofOf)
    } catch (error) {
      if (!(error instanceof ProofNeeded)) throw error
      proofs.set(error.email, await readAddressProof(idpUserId, error.email))
    }
  }
}

async function readAddressProof(idpUserId: string, email: string): Promise<AddressProof> {
  const late = pause(ASK_WITHIN_MS, 'unknown' as const, { ref: false })
  try {
    return await Promise.race([askProvider(idpUserId, email), late])
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    logger.warn(
      { error: describeError(error) },
      'The identity provider did not say whether an address is verified, so the event is applied'
    )
    return 'unknown'
  }
}

async function askProvider(idpUserId: string, email: string): Promise<AddressProof> {
  const user = await readUser(idpUserId)
  if (user === null) return 'missing'
  if (user.email !== email || !user.isVerified) return 'unverified'
  return (await countUsersWithEmail(email)) === 1 ? 'verified' : 'unknown'
}
