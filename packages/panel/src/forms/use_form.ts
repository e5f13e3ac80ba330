import { useMutation } from '@tanstack/vue-query'
import {
  type InjectionKey,
  type Ref,
  computed,
  nextTick,
  onScopeDispose,
  provide,
  reactive,
  ref,
  toRaw,
  watch,
} from 'vue'
import { useI18n } from 'vue-i18n'
import { type Api, api, whenSignedOut } from '@/api/client'
import { Problem } from '@/api/problem'
import { type Conflict, mergeChanges, same } from '@/forms/merge_changes'
import { type BrokenRule, brokenRules } from '@/forms/request_schema'
import { restoreDraft, saveDraft } from '@/session/drafts'
import { useSession } from '@/session/session'
import { toast } from '@/ui/toasts'

type Errors = Record<string, string>

/** The messages of a form, for its fields. */
export const formErrors: InjectionKey<Ref<Errors>> = Symbol('form errors')

const KEYWORDS = [
  'required',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'minItems',
] as const

interface FormOptions<Values extends object, Body, Result> {
  /** Tells forms of a page apart, for what is kept while someone signs in again. */
  name: string
  initial: Values
  /** The body of the request as the service describes it, from `@/forms/schemas`. */
  schema?: object
  /** Where the fields are in the body of the request, such as `resources.0.`. */
  within?: string
  /** The request body for what is in the fields. */
  body: (values: Values) => Body
  /** Uses the given API, so that the request can also be shown as a command. */
  send: (api: Api, body: Body) => Promise<Result>
  onSuccess: (result: Result) => unknown
  /** The field that a problem is about, by its code, such as `APPLICATION_EXISTS`. */
  fieldOfProblem?: Record<string, keyof Values & string>
  /** Handles a problem that is about no field. Without it, its text appears above the form. */
  onProblem?: (problem: Problem) => boolean
  /** The fields for the present state, which a 412 carries. */
  fromCurrent?: (current: never) => Values
  /** Called with a 412, to send the present tag next time. */
  onStale?: (problem: Problem) => unknown
  /** Whether what was typed is kept elsewhere, also while someone signs in again. */
  isKeptElsewhere?: boolean
  /** Texts that are not shown again once they were sent, and that no draft keeps. */
  secrets?: (keyof Values & string)[]
}

/** `structuredClone` refuses values that Vue observes, such as those in a list. */
const copyOf = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value

/**
 * The state of a form. The schema checks it first, then the service; either's messages appear at
 * their fields, and the first of these gets the focus. A message stays until its field changes, and
 * what was typed is kept: after a refusal, after a conflict with someone else's change, and while
 * signing in again.
 */
export function useForm<Values extends object, Body, Result>(
  options: FormOptions<Values, Body, Result>
) {
  const { t } = useI18n()
  const owner = useSession().user.value?.email ?? ''
  const draft = options.isKeptElsewhere ? {} : restoreDraft<Values>(owner, options.name)
  const values = reactive({ ...options.initial, ...draft }) as Values
  const base = ref(copyOf(options.initial)) as Ref<Values>
  const errors = ref<Errors>({})
  const summary = ref<string | null>(null)
  const conflicts = ref<Conflict[]>([])
  const isDirty = computed(() => !same(values, base.value))
  const noSecrets = Object.fromEntries((options.secrets ?? []).map((field) => [field, '']))
  provide(formErrors, errors)

  for (const field of Object.keys(values) as (keyof Values & string)[]) {
    watch(
      () => JSON.stringify(values[field]),
      () => delete errors.value[field]
    )
  }
  onScopeDispose(
    whenSignedOut(() => {
      if (isDirty.value && !options.isKeptElsewhere)
        saveDraft(owner, options.name, { ...toRaw(values), ...noSecrets })
    })
  )

  function show(found: Errors) {
    errors.value = found
    void nextTick(() => {
      document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus()
    })
  }

  function describe({ keyword, limit }: BrokenRule): string {
    const known = KEYWORDS.find((one) => one === keyword)
    return t(known ? `rule.${known}` : 'rule.other', { limit: [limit].flat().join(', ') })
  }

  const isChecking = ref(false)

  async function check(body: Body): Promise<boolean> {
    const broken = options.schema ? await brokenRules(options.schema, body) : []
    show(Object.fromEntries(broken.map((rule) => [rule.field, describe(rule)])))
    return broken.length === 0
  }

  const mutation = useMutation({
    mutationFn: (body: Body) => options.send(api, body),
    async onSuccess(result) {
      Object.assign(values, noSecrets)
      base.value = copyOf(values)
      conflicts.value = []
      await options.onSuccess(result)
    },
    onError(error) {
      if (!(error instanceof Problem)) {
        summary.value = t('problem.offline')
        return
      }
      const field = options.fieldOfProblem?.[error.code]
      if (error.code === 'INVALID_WINDOW') show({ validUntil: t('rule.window') })
      else if (field) show({ [field]: error.message })
      else if (error.fields.length > 0) showFields(error)
      else if (error.status === 412 && options.fromCurrent) merge(error)
      else if (!options.onProblem?.(error)) summary.value = error.message
    },
  })

  function showFields({ fields }: Problem) {
    const byField = fields.map(({ field, rule, message }) => {
      const path = field.replace(options.within ?? '', '')
      return [path.split('.')[0]!, rule === 'window' ? t('rule.window') : message] as const
    })
    show(Object.fromEntries(byField.toReversed()))
    const unknown = byField.filter(([field]) => !(field in values)).map(([, message]) => message)
    if (unknown.length > 0) toast(unknown.join(' '), true)
  }

  function merge(problem: Problem) {
    const theirs = options.fromCurrent!(problem.details.current as never)
    const merged = mergeChanges({ mine: values, theirs, base: base.value })
    Object.assign(values, merged.taken)
    base.value = { ...theirs }
    conflicts.value = merged.conflicts
    options.onStale?.(problem)
    if (merged.conflicts.length === 0) summary.value = t('problem.staleTitle')
  }

  function resolve({ field, theirs }: Conflict, takeTheirs: boolean) {
    if (takeTheirs) values[field as keyof Values] = theirs as Values[keyof Values]
    conflicts.value = conflicts.value.filter((one) => one.field !== field)
  }

  async function submit() {
    if (isChecking.value) return
    isChecking.value = true
    summary.value = null
    const body = options.body(toRaw(values))
    try {
      if (await check(body)) mutation.mutate(body)
    } finally {
      isChecking.value = false
    }
  }

  return {
    values,
    errors,
    summary,
    conflicts,
    resolve,
    isSending: computed(() => isChecking.value || mutation.isPending.value),
    isDirty,
    submit,
    /** Shows what is wrong with fields, as if the service had said it. */
    refuse: show,
    /** The write that `submit` would do, for `CopyCommand`. */
    write: (target: Api) => options.send(target, options.body(toRaw(values))),
  }
}

/** What the frame of a form shows and does. */
export type FormState = Pick<
  ReturnType<typeof useForm>,
  'summary' | 'conflicts' | 'resolve' | 'isSending' | 'write'
> & { submit: () => unknown }
