"""What demonstrations have in common that set one controller beside another."""
