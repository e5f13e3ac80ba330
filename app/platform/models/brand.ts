import { BrandSchema } from '#database/schema'

export default class Brand extends BrandSchema {
  static default() {
    return this.query().where('isDefault', true).firstOrFail()
  }

  static bySlug(slug: string) {
    return this.query().where('slug', slug).first()
  }
}
