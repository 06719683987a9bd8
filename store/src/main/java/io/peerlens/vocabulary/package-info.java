/** The object kinds and metric keys of this installation. */
@NullMarked
package io.peerlens.vocabulary;

import org.jspecify.annotations.NullMarked;
