import vine from '@vinejs/vine'
import { LimitedErrorReporter } from '#core/validation/fault_limit'

/**
 * Validators take it over when they are created, so this comes before everything that loads one.
 */
vine.errorReporter = () => new LimitedErrorReporter()
