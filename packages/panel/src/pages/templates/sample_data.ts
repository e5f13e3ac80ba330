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

function keep(key: string, text: string) {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The browser keeps no more, so the data lasts as long as the page.
  }
}

const format = (data: object) => JSON.stringify(data, null, 2)

/**
 * The data that previews and tests use, and the name of what it was taken from. It is kept in this
 * browser.
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
  const name = ref(localStorage.getItem(`${key}:name`) ?? '')
  watch(text, (typed) => {
    if (data.value !== null) keep(key, typed)
  })
  watch(name, (chosen) => keep(`${key}:name`, chosen))
  return {
    text,
    data,
    /** Of the type's sample data; empty if it is of none. */
    name,
    use(found: object, of = '') {
      text.value = format(found)
      name.value = of
    },
    /** Says that the data is of other sample data, or of none. */
    callIt: (other: string) => (name.value = other),
    reset() {
      text.value = format(sampleFor(variables()))
      name.value = ''
    },
  }
}

export type SampleData = ReturnType<typeof useSampleData>
