/** How sources do, those that Peerlens reads and those that send by themselves, and their API. */
@NullMarked
package io.peerlens.source.state;

import org.jspecify.annotations.NullMarked;
