import { type Ref, computed, reactive, watch } from 'vue'
import type { TemplateVersion, Texts, VersionPlace } from '@/queries/template_versions'

/** What is kept in this browser until it is published or discarded. */
interface KeptDraft extends Texts {
  /** The revision that it changes; 0 if there is none. */
  base: number
}

const keyOf = (owner: string, { id, locale }: VersionPlace) =>
  `concierge-draft:${owner}:template:${id}:${locale}`

function read(key: string): KeptDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<KeptDraft> | null
    const { subject, body, base } = kept ?? {}
    if (typeof subject !== 'string' || typeof body !== 'string') return null
    return { subject, body, base: typeof base === 'number' ? base : 0 }
  } catch {
    return null
  }
}

function keep(key: string, draft: KeptDraft) {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // The browser keeps no more, so the draft lasts as long as the page.
  }
}

/**
 * The texts that someone is writing. They are kept in this browser as long as they differ from
 * what is published, and follow it otherwise.
 *
 * @param owner e-mail address of who is writing; drafts of others stay hidden
 * @param stored what is published; null if there is nothing
 */
export function useDraft(
  owner: string,
  place: VersionPlace,
  stored: Ref<TemplateVersion | null | undefined>
) {
  const key = keyOf(owner, place)
  const publishedTexts = computed((): Texts => ({
    subject: stored.value?.subjectTemplate ?? '',
    body: stored.value?.bodyTemplate ?? '',
  }))
  const revision = computed(() => stored.value?.revision ?? 0)
  const draft = reactive<KeptDraft>(read(key) ?? { ...publishedTexts.value, base: revision.value })
  const isChanged = computed(
    () => draft.subject !== publishedTexts.value.subject || draft.body !== publishedTexts.value.body
  )
  /** Someone has published something else since it was begun. */
  const isBehind = computed(() => isChanged.value && draft.base !== revision.value)

  const settle = () => {
    if (isChanged.value) return keep(key, { ...draft })
    localStorage.removeItem(key)
    draft.base = revision.value
  }
  // What was kept may have been published meanwhile.
  settle()
  watch([() => draft.subject, () => draft.body, () => draft.base], settle)
  watch(publishedTexts, (now, before) => {
    const isUntouched = draft.subject === before.subject && draft.body === before.body
    if (isUntouched) Object.assign(draft, { ...now, base: revision.value })
  })
  // Also a new revision with the texts of the draft, as after publishing it.
  watch(revision, settle)

  return {
    draft,
    publishedTexts,
    isChanged,
    isBehind,
    /** Continues with what was written, though something else was published. */
    keepMine: () => (draft.base = revision.value),
    discard() {
      Object.assign(draft, { ...publishedTexts.value, base: revision.value })
      localStorage.removeItem(key)
    },
    write: (texts: Texts) => Object.assign(draft, texts),
  }
}
