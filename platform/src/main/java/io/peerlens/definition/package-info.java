/**
 * What rules of all sorts have in common: the number that moves with every change, versions, and
 * files and packs of rules. Each sort of rule lives in a feature of its own and offers {@link
 * io.peerlens.definition.RuleItems}.
 */
@NullMarked
package io.peerlens.definition;

import org.jspecify.annotations.NullMarked;
