import { BrandSchema } from '#database/schema'

/** An appearance and sender under which the platform speaks to people. Exactly one is the default. */
export default class Brand extends BrandSchema {
  static default() {
    return this.query().where('isDefault', true).firstOrFail()
  }

  static bySlug(slug: string) {
    return this.query().where('slug', slug).first()
  }
}
