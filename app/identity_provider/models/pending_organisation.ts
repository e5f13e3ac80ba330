import { PendingOrganisationSchema } from '#database/schema'

/** An organisation that was requested and may be incomplete at the identity provider. */
export default class PendingOrganisation extends PendingOrganisationSchema {
  /** `wasBegun` is true if an earlier attempt did not finish. */
  static async begin(name: string): Promise<{ wasBegun: boolean }> {
    const pending = await this.firstOrCreate({ name })
    return { wasBegun: !pending.$isLocal }
  }

  static async end(name: string) {
    await this.query().where('name', name).delete()
  }
}
