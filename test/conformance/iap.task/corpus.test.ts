import { taskRules } from '../../../src/spec/iap/task.catalogue.ts'
import { validateTask } from '../../../src/spec/iap/validate-task.ts'
import { testCatalogue, testCorpus } from '../../spec/judging.ts'

testCatalogue(taskRules, validateTask)
testCorpus(import.meta.dirname, 'iap.task', taskRules, validateTask)
