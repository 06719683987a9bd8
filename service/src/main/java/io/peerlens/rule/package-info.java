/**
 * What rules of all sorts have in common: the number that moves with every change, versions, and
 * files and packs of rules. Each sort of rule lives in a feature of its own and offers {@link
 * io.peerlens.rule.RuleItems}.
 */
@NullMarked
package io.peerlens.rule;

import org.jspecify.annotations.NullMarked;
