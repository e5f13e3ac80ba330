export { type MailboxOptions, type RunningMailbox, startMailbox } from './server.ts'
export type { ReceivedMail } from './received_mail.ts'
