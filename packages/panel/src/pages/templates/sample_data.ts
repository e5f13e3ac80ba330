import { computed, ref, watch } from 'vue'
import { parseJsonObject } from '@/files/json_text'
import type { TemplateVariable } from '@/queries/templates'

const keyOf = (owner: string, templateId: number) =>
  `concierge-sample-data:${owner}:template:${templateId}`

const isLink = (name: string) => /url|link/i.test(name)

/** Data with something for each variable: `{ order: { number: 'number' } }` for `order.number`. */
export function sampleFor(variables: TemplateVariable[]): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const { key } of variables) {
    const names = key.split('.')
    const last = names.pop()!
    let place = data
    for (const name of names) {
      const inner = place[name]
      if (typeof inner !== 'object' || inner === null) place[name] = {}
      place = place[name] as Record<string, unknown>
    }
    place[last] ??= isLink(last) ? 'https://example.com' : last
  }
  return data
}

const format = (data: object) => JSON.stringify(data, null, 2)

/**
 * The data that previews and tests use. It is kept in this browser.
 *
 * @param owner e-mail address of who uses it; data of others, perhaps of a message, stays hidden
 */
export function useSampleData(
  owner: string,
  templateId: number,
  variables: () => TemplateVariable[]
) {
  const key = keyOf(owner, templateId)
  const text = ref(localStorage.getItem(key) ?? format(sampleFor(variables())))
  /** Null if the text is not a JSON object. */
  const data = computed(() => parseJsonObject(text.value))
  watch(text, (typed) => {
    if (data.value === null) return
    try {
      localStorage.setItem(key, typed)
    } catch {
      // The browser keeps no more, so the data lasts as long as the page.
    }
  })
  return {
    text,
    data,
    use: (found: object) => (text.value = format(found)),
    reset: () => (text.value = format(sampleFor(variables()))),
  }
}
