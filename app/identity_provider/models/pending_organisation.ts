import { PendingOrganisationSchema } from '#database/schema'

/** An organisation that was asked for and is not known to be complete at the identity provider. */
export default class PendingOrganisation extends PendingOrganisationSchema {
  /** Notes that it is being made; says whether an earlier attempt did and never came to an end. */
  static async begin(name: string): Promise<{ wasBegun: boolean }> {
    const pending = await this.firstOrCreate({ name })
    return { wasBegun: !pending.$isLocal }
  }

  static async end(name: string) {
    await this.query().where('name', name).delete()
  }
}
