import { type CompiledVersion, compileVersion } from '#app/notifications/rendering/compile_version'

const MORE = { cs: 'Další zprávy', en: 'More messages' }

export type BuiltInLanguage = keyof typeof MORE

export const BUILT_IN_LANGUAGES = Object.keys(MORE) as BuiltInLanguage[]

/** Only what a list of messages needs (digests.md#built-in-template). */
const texts = (language: BuiltInLanguage) => ({
  subjectTemplate: '{{appName}}: {{typeName}} ({{count}})',
  bodyTemplate: `<h2 style="margin:0 0 16px;font-size:20px;line-height:1.3">{{typeName}}</h2>
{{#items}}<div style="padding:16px 0;border-top:1px solid #e5e7eb">
<p style="margin:0 0 4px;font-weight:700">{{#url}}<a href="{{url}}" style="color:inherit">{{subject}}</a>{{/url}}{{^url}}{{subject}}{{/url}}</p>
<p style="margin:0 0 8px;color:#4b5563;font-size:13px">{{when}}</p>
<p style="margin:0;white-space:pre-line">{{text}}</p>
</div>{{/items}}
{{#more}}<p style="margin:0;padding-top:16px;border-top:1px solid #e5e7eb">${MORE[language]}: {{more}}</p>{{/more}}`,
})

const compiled = new Map<BuiltInLanguage, CompiledVersion>()

/** The digest of a type without a template for it. */
export async function builtInDigest(language: BuiltInLanguage): Promise<CompiledVersion> {
  const known = compiled.get(language)
  if (known) return known
  // Everything else is prepared in threads, so its libraries are not loaded until here.
  const { prepareTexts } = await import('#app/notifications/preparation/prepare_texts')
  const version = compileVersion({ ...prepareTexts(texts(language)), locale: language })
  compiled.set(language, version)
  return version
}
