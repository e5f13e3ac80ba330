import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { secrets } from '#core/secrets'
import { AuditChainSchema } from '#database/schema'
import type { ChainPosition } from '#app/audit/values/chain'

const PURPOSE = 'audit_chain.checkpoint'

/** The only row: where the chain of audit entries ends, and where what is left of it begins. */
export default class AuditChain extends AuditChainSchema {
  static override table = 'audit_chain'

  static current(trx?: TransactionClientContract): Promise<AuditChain> {
    return this.query({ client: trx }).firstOrFail()
  }

  get head(): ChainPosition {
    return { sequence: this.sequence, hash: this.hash }
  }

  /** The last entry that retention removed. */
  get checkpoint(): ChainPosition {
    return { sequence: this.checkpointSequence, hash: this.checkpointHash }
  }

  set checkpoint({ sequence, hash }: ChainPosition) {
    this.checkpointSequence = sequence
    this.checkpointHash = hash
    this.checkpointSignature = secrets.fingerprint(`${sequence}:${hash}`, PURPOSE)
  }

  /** Whether a holder of `APP_KEY` set the checkpoint, or of a previous key. */
  get isCheckpointGenuine(): boolean {
    const { sequence, hash } = this.checkpoint
    if (sequence === 0) return true
    return secrets.isFingerprintOf(`${sequence}:${hash}`, PURPOSE, this.checkpointSignature)
  }
}
