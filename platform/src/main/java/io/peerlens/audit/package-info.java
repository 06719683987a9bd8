/** Audit log: who did what, from where, with which outcome. */
@NullMarked
package io.peerlens.audit;

import org.jspecify.annotations.NullMarked;
