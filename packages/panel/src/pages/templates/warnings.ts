import { useI18n } from 'vue-i18n'
import { Problem } from '@/api/problem'
import type { TemplateWarning } from '@/queries/template_versions'

/** Something about the texts that could be better, or that prevents publishing them. */
export interface Finding {
  text: string
  field: 'subject' | 'body' | null
  /** Counted from 1; null if there is no one place. */
  line: number | null
  isError: boolean
}

const FIELDS = { subjectTemplate: 'subject', bodyTemplate: 'body' } as const

const fieldOf = (field: unknown) =>
  field === 'subjectTemplate' || field === 'bodyTemplate' ? FIELDS[field] : null

/** What the service says about texts, in the language of the panel where it has the words. */
export function useFindings() {
  const { t, te } = useI18n()
  const textOf = ({ code, detail, value }: TemplateWarning) =>
    te(`templates.warning.${code}`) ? t(`templates.warning.${code}`, { value }) : detail
  return {
    ofWarning: (warning: TemplateWarning): Finding => ({
      text: textOf(warning),
      field: fieldOf(warning.field),
      line: warning.line,
      isError: false,
    }),
    /** Null for problems that are not about the texts. */
    ofProblem(error: Error | null): Finding | null {
      if (!(error instanceof Problem) || error.status !== 400) return null
      const { field, line } = error.details
      return {
        text: error.message,
        field: fieldOf(field),
        line: typeof line === 'number' ? line : null,
        isError: true,
      }
    },
  }
}
