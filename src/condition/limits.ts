/**
 * Limits of an evaluation. Costs are counted, not timed, so that slow and fast machines give the same result; together
 * the limits keep the worst case well under 100 ms.
 */

/** UTF-16 units of an expression; the JSON text of a rule may have eight times as many. */
export const MAX_EXPRESSION_LENGTH = 4_096
export const MAX_RULE_LENGTH = 8 * MAX_EXPRESSION_LENGTH
/** Brackets within brackets, and operators within operators. */
export const MAX_EXPRESSION_DEPTH = 32
/** Nodes on the longest path through a parsed expression: `a || b || c` grows by one with each term. */
export const MAX_TREE_DEPTH = 200

/** Objects, arrays and scalars of a payload. */
export const MAX_PAYLOAD_VALUES = 50_000
/** UTF-16 units of all strings and member names of a payload together. */
export const MAX_PAYLOAD_TEXT = 1_048_576
/** Objects within objects. */
export const MAX_PAYLOAD_DEPTH = 64

/** Steps of one evaluation. A step is a node visited, a value compared, or {@link TEXT_PER_STEP} units of text. */
export const MAX_STEPS = 100_000
export const TEXT_PER_STEP = 32

/** Instructions that a regular expression may compile to. */
export const MAX_PATTERN_SIZE = 1_000
