import { ref, watch } from 'vue'
import type { Brand, TaggedBrand } from '@/queries/brands'

/**
 * The tag that a form must send that has some fields of a brand. It follows the brand while others
 * change its other fields, such as the other form of the page.
 *
 * @param fieldsOf those of the form
 */
export function useCurrentTag(brand: () => TaggedBrand, fieldsOf: (brand: Brand) => object) {
  const etag = ref(brand().etag)
  let known = JSON.stringify(fieldsOf(brand()))
  watch(brand, (now) => {
    if (JSON.stringify(fieldsOf(now)) === known) etag.value = now.etag
  })
  return {
    etag,
    /** After the form itself has changed them. */
    saved(now: Brand, tag: string | null) {
      known = JSON.stringify(fieldsOf(now))
      etag.value = tag
    },
  }
}
