import { TemplateVersionSchema } from '#database/schema'

/** A template's texts in one language, with what was made from them when they were saved. */
export default class TemplateVersion extends TemplateVersionSchema {}
