/**
 * Definitions of sources: stored, changed by people, and guarded against where they must not lead.
 */
@NullMarked
package io.peerlens.source.definition;

import org.jspecify.annotations.NullMarked;
