/** The ingest role: consumers, guards, dead letters and what ingest reports of itself. */
@NullMarked
package io.peerlens.samples;

import org.jspecify.annotations.NullMarked;
