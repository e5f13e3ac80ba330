/** What an operator does, over any interface. */
export interface Operations {
  createApplication(code: string, name: string): Promise<Named>
  showApplication(code: string): Promise<Named>
  deleteApplication(code: string): Promise<void>
  createPermission(app: string, code: string, type: 'binary' | 'tiered'): Promise<{ code: string }>
  createRole(app: string, code: string): Promise<{ code: string }>
  /** Levels by permission code. */
  setRolePermissions(app: string, role: string, levels: Record<string, Level>): Promise<void>
  giveRole(email: string, app: string, role: string): Promise<void>
  deny(email: string, app: string, permission: string, resource: Resource): Promise<void>
  check(question: Question): Promise<boolean>
  explain(question: Question): Promise<{ allowed: boolean; decidedBy: number }>
  saveTexts(app: string, texts: Texts): Promise<void>
  preview(app: string, texts: Texts, data: Record<string, string>): Promise<{ subject: string }>
  notify(
    email: string,
    app: string,
    type: string,
    data: Record<string, string>
  ): Promise<{ status: string }>
  log(app: string): Promise<{ recipientEmail: string; status: string; subject: string }[]>
  clearCaches(): Promise<{ cleared: boolean }>
}

export type Level = 'allowed' | 'view' | 'edit'

export interface Named {
  code: string
  name: string
}

export interface Resource {
  type: string
  id: string
}

export interface Question {
  email: string
  app: string
  permission: string
  level?: Level
  resource?: Resource
}

export interface Texts {
  type: string
  template: string
  locale: string
  subject: string
  body: string
}

/** A refusal by the service. */
export class Refused extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}
