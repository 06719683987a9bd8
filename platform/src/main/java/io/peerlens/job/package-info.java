/** Long work: what it is, how far it is, and stopping it. */
@NullMarked
package io.peerlens.job;

import org.jspecify.annotations.NullMarked;
